/** Chapters 4 and 5: queues, topics, browsers, requestors and administered objects. */
package io.metaq.tck.domain;
