#!/usr/bin/env node
// Writes a Foundry project for a hook: `npx -p task-market-contracts create-task-hook OnceHook` makes the folder OnceHook.
// --package: where the project gets task-market-contracts from, such as a tarball; this version of the registry unless given.
// --errors: prints the errors of the ABI on standard input instead, for tools that name what a hook refuses with.
import { Buffer } from 'node:buffer'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const { values, positionals } = readWords()
if (values.errors) {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const errors = readAbi(Buffer.concat(chunks).toString('utf8')).filter(({ type }) => type === 'error')
  console.log(`[\n${errors.map((error) => `  ${JSON.stringify(error)}`).join(',\n')}\n]`)
  process.exit()
}

const [name] = positionals
if (positionals.length !== 1 || !/^[A-Z][A-Za-z0-9]{0,63}$/.test(name)) {
  fail('Name the contract, a capital and up to 63 letters and digits, such as: create-task-hook OnceHook')
}
const folder = resolve(name)
if (existsSync(folder)) fail(`${folder} exists`)

const template = join(import.meta.dirname, 'hook-template')
const files = readdirSync(template, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .map((path) => ({ path: relative(template, path), text: readFileSync(path, 'utf8') }))
const imported = files.flatMap(({ text }) =>
  [...text.matchAll(/import \{(.*?)\}/g)].flatMap(([, names]) => names.split(', ')),
)
if (name !== 'MyHook' && imported.includes(name))
  fail(`The files of the project import another ${name}: choose another name.`)
for (const { path, text } of files) write(path, text)
write('.gitignore', 'broadcast/\ncache/\nnode_modules/\nout/\n')
if (values.package !== undefined) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  manifest.devDependencies['task-market-contracts'] = values.package
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
}
console.log(`${folder}\nNext: cd ${name} && npm install && npm test`)

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { package: { type: 'string' }, errors: { type: 'boolean' } },
    })
  } catch (error) {
    return fail(`${error.message}\nUsage: create-task-hook NAME [--package SOURCE], or create-task-hook --errors < ABI`)
  }
}

function readAbi(text) {
  try {
    const content = JSON.parse(text)
    const items = Array.isArray(content) ? content : content.abi
    if (Array.isArray(items)) return items
  } catch {
    // Nothing, where the program before this one in a pipe failed.
  }
  return fail('There is no ABI on standard input: it takes the JSON of an ABI, or of an artifact.')
}

function write(file, text) {
  const path = join(folder, file.replaceAll('MyHook', name))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text.replaceAll('MyHook', name).replaceAll('my-hook', name.toLowerCase()))
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
