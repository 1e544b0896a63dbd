/**
 * The original MetaQ 1.4.6.2, server and client, as a program that writes or reads a data folder.
 * It runs in a process of its own, with nothing of ours on its class path.
 */
package io.metaq.tck.original.server;
