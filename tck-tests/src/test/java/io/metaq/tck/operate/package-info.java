/**
 * What an operator runs: the distribution as it is shipped, its scripts, and the load generator.
 */
package io.metaq.tck.operate;
