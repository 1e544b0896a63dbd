/** A broker process under load from JMS clients, killed with SIGKILL again and again. */
package io.metaq.tck.kills;
