#!/usr/bin/env node
// The compiler as forge expects it: an executable that answers `--version` and reads standard JSON on stdin.
// Behind it is npm's solc, so that no download from a compiler host is needed. Plain JavaScript: forge starts it with
// whatever `node` is first on PATH.
import { createRequire } from 'node:module'
import process from 'node:process'

/** The npm package of the compiler; another one for users' own code. */
const compiler = process.env.SOLC_PACKAGE ?? 'solc'

if (process.argv.includes('--version')) {
  // Of the package: loading the compiler for its answer takes a third of a second, and forge asks at each command. forge
  // expects a platform's suffix, and refuses that of the JavaScript build.
  const { version } = createRequire(import.meta.url)(`${compiler}/package.json`)
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}+npm.Linux.g++\n`)
} else {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const input = Buffer.concat(chunks).toString('utf8')
  process.stdout.write(process.env.SOLC_NAMES_ONLY === '1' ? nameSources(input) : await compile(input))
}

async function compile(input) {
  keepTableEntries()
  const { default: solc } = await import(compiler)
  return solc.compile(input)
}

/** The answer for `forge lint`, which asks the compiler only which sources have contracts and reads them itself. */
function nameSources(input) {
  const paths = Object.keys(JSON.parse(input).sources)
  return JSON.stringify({
    contracts: Object.fromEntries(paths.map((path) => [path, { Any: { abi: [] } }])),
    sources: Object.fromEntries(paths.map((path, id) => [path, { id }])),
  })
}

/**
 * The compiler catches its exceptions in JavaScript and asks WebAssembly's table of functions at each call: two fifths of a
 * compilation. It has one table, which changes only while the compiler is loaded; entries are kept until it does.
 */
function keepTableEntries() {
  const { get, set, grow } = WebAssembly.Table.prototype
  let table = null
  let entries = []
  const forget = (change) =>
    function (...args) {
      table = null
      return change.apply(this, args)
    }
  WebAssembly.Table.prototype.get = function (index) {
    if (this !== table) {
      table = this
      entries = new Array(this.length).fill(null)
    }
    entries[index] ??= get.call(this, index)
    return entries[index]
  }
  WebAssembly.Table.prototype.set = forget(set)
  WebAssembly.Table.prototype.grow = forget(grow)
}
