/** The options of curl and other load tools, translated into ours before a command parses them. Stateless. */
package io.phaseload.cli.foreign;
