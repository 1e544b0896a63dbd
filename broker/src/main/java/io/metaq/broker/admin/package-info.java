/** What operators see of a running broker through JMX and metrics, and may do to it. */
package io.metaq.broker.admin;
