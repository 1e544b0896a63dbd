/** Chapter 3: the message model: headers, properties, selectors, bodies. */
package io.metaq.tck.message;
