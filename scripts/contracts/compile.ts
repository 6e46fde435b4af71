import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runForge } from './forge.ts'
import { contractsRoot } from './paths.ts'

const markerPath = join(contractsRoot, 'cache', 'compiled-sources')

/**
 * Compiles `contracts/src` if the sources have changed since the last compilation.
 * @returns true if the sources were compiled
 * @throws with forge's output if the sources do not compile
 */
export async function compileContracts(): Promise<boolean> {
  const fingerprint = hashSources()
  if (isCompiled(fingerprint)) return false
  // The marker goes first: a compilation that is interrupted leaves none.
  rmSync(markerPath, { force: true })
  const { exitCode, output } = await runForge(['build', 'src'])
  if (exitCode !== 0) throw new Error(`forge build failed\n${output}`)
  mkdirSync(join(contractsRoot, 'cache'), { recursive: true })
  writeFileSync(markerPath, fingerprint)
  return true
}

function isCompiled(fingerprint: string): boolean {
  if (!existsSync(markerPath) || !existsSync(join(contractsRoot, 'out'))) return false
  return readFileSync(markerPath, 'utf8') === fingerprint
}

/**
 * Returns a fingerprint of everything that decides the compiled artifacts: the sources, the compiler settings, and the
 * versions of the compiler and of libraries.
 */
export function hashSources(): string {
  const hash = createHash('sha256')
  const files = ['foundry.toml', ...globSync('src/**/*.sol', { cwd: contractsRoot }).sort()]
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(contractsRoot, file)))
  const require = createRequire(import.meta.url)
  for (const name of ['solc', '@openzeppelin/contracts', '@foundry-rs/forge']) {
    const manifest: { version: string } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'))
    hash.update(`${name}@${manifest.version}\0`)
  }
  return hash.digest('hex')
}
