#!/usr/bin/env node
// The compiler as forge expects it: an executable that answers `--version` and reads standard JSON on stdin.
// Behind it is npm's solc, so that no download from a compiler host is needed. Plain JavaScript: forge starts it with
// whatever `node` is first on PATH.
import process from 'node:process'
import solc from 'solc'

if (process.argv.includes('--version')) {
  // forge parses the platform suffix; the JavaScript build's own would be refused.
  const version = solc.version().replace('Emscripten.clang', 'Linux.g++')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  process.stdout.write(solc.compile(Buffer.concat(chunks).toString('utf8')))
}
