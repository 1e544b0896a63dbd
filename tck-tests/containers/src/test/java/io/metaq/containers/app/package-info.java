/**
 * The application that is deployed in each server: message-driven beans and a servlet that does
 * what a test asks it to.
 */
package io.metaq.containers.app;
