/**
 * What the conformance tests stand on: the interface a messaging product is plugged in by, the
 * products themselves, the fixture each test is given, and the annotations that tie a test to a
 * sentence of the specification.
 */
package io.metaq.tck.harness;
