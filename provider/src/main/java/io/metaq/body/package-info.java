/**
 * Message bodies of any size: in memory up to a limit, in a temporary file beyond it, so that a
 * body of a gibibyte passes through a small heap. Knows bytes only, no message and no wire.
 */
package io.metaq.body;
