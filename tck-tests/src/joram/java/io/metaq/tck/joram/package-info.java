/** The Joram suite of JMS 1.1 tests, turned into Jakarta Messaging by the build and plugged in. */
package io.metaq.tck.joram;
