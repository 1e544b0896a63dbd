/**
 * JMH benchmarks of single parts, compiled with the tests and run by hand: {@code mvn -q
 * -Pbenchmark -pl broker -am test-compile exec:exec -Dbenchmark=NAME}.
 */
package io.metaq.broker.benchmark;
