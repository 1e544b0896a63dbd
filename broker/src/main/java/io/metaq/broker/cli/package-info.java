/**
 * The command line of {@code bin/metaq}: one class for each command. Commands parse, call, print
 * and turn failures into one clear message and a non-zero exit code; what they do stands elsewhere.
 */
package io.metaq.broker.cli;
