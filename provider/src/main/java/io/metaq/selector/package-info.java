/**
 * Message selectors (Jakarta Messaging 3.1, section 3.8.1): parser, static type check and
 * evaluator.
 *
 * <p>The broker evaluates selectors over records, the resource adapter validates activation
 * properties, and the client names a bad selector before it reaches the wire; all three use the
 * same {@link io.metaq.selector.Selector}. The package knows neither messages nor the wire: values
 * come in through {@link io.metaq.selector.SelectorContext}.
 */
package io.metaq.selector;
