/**
 * What stands for an application server in the tests of the adapter: threads, transactions and
 * endpoints, no more.
 */
package io.metaq.ra.support;
