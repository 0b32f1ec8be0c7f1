/**
 * Entry point of every npm script: installs the product's own Node and dependencies if they are missing, then
 * runs the command. It has no static imports, so that an old Node can parse it and print the message below.
 */
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
  console.error(
    `hengfu: Node 20 or newer is needed to start; this is ${process.version}. See https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  import('./bootstrap/main.mjs').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
}
