/**
 * Who may log in: the users file with its salted password hashes, and the check of a name and a
 * password against it. Permissions per destination have their place here when they come.
 */
package io.metaq.broker.security;
