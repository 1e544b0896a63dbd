/**
 * Recovery with the Narayana transaction manager. Apart from the rest since it alone needs
 * Narayana's classes, which are an optional dependency.
 */
package io.metaq.jms.narayana;
