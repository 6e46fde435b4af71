/**
 * Compiles the contracts when their sources changed and writes `abis/`.
 *
 *   node scripts/contracts/build.ts           compile, generate
 *   node scripts/contracts/build.ts --check   compile, fail when a committed ABI differs from its source
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderAbiFiles } from './abi-files.ts'
import { compileContracts } from './compile.ts'
import { abisRoot } from './paths.ts'

const startedAt = performance.now()
const isCompiled = await compileContracts()
const staleFiles = findStaleFiles(renderAbiFiles())

if (process.argv.includes('--check')) {
  for (const { file } of staleFiles)
    console.error(`abis/${file} does not match contracts/src: run npm run build:contracts`)
  if (staleFiles.length > 0) process.exit(1)
} else {
  mkdirSync(abisRoot, { recursive: true })
  for (const { file, text } of staleFiles) {
    if (text === null) rmSync(join(abisRoot, file))
    else writeFileSync(join(abisRoot, file), text)
  }
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`contracts ${isCompiled ? 'compiled' : 'unchanged'}, ${staleFiles.length} ABI files updated (${seconds} s)`)

/** Returns the files of `abis/` that must be written (`text` is the new content) or deleted (`text` is null). */
function findStaleFiles(files: Map<string, string>): { file: string; text: string | null }[] {
  const presentFiles = existsSync(abisRoot) ? readdirSync(abisRoot) : []
  const leftoverFiles = presentFiles.filter((file) => !files.has(file)).map((file) => ({ file, text: null }))
  const changedFiles = [...files]
    .filter(([file, text]) => !presentFiles.includes(file) || readFileSync(join(abisRoot, file), 'utf8') !== text)
    .map(([file, text]) => ({ file, text }))
  return [...leftoverFiles, ...changedFiles]
}
