/**
 * Naming: an initial context that needs no server, made from properties, and the object factory
 * that containers use to make connection factories and destinations from references.
 */
package io.metaq.jndi;
