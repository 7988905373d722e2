/** What curl and other load tools call their options, translated into ours before a command parses them. Stateless. */
package io.phaseload.cli.foreign;
