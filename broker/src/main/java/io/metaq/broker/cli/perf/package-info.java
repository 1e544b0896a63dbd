/**
 * The load generator behind {@code bin/metaq perf}. It uses the Jakarta Messaging API only, so that
 * it drives any provider; what it asks a MetaQ broker beyond that is optional.
 */
package io.metaq.broker.cli.perf;
