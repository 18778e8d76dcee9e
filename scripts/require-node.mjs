// Imported first by every script: no imports here, and syntax that any Node since 14 can read.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(
    `AgentRelay needs Node 22.15 or newer; this is Node ${process.versions.node}. Use "npm start", "npm test" or "npm run bench" after "npm ci", or install a newer Node.`,
  );
  process.exit(1);
}
