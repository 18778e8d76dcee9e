// Runs before anything else is loaded: no imports here, and syntax that any Node since 14 can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `agentrelay needs Node 22.15 or newer; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Run it through bin/agentrelay or an npm script, which use the Node that npm installed with the project, or install a newer Node.\n',
  );
  process.exit(1);
}
export {};
