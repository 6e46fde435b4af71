import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { contractsRoot } from './paths.ts'

const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Returns the path of a Foundry tool's native binary, which is part of the npm package for this platform. The launcher
 * of Foundry's main package is not used, because it requires an install script, and npm does not run install scripts
 * here.
 */
export function findFoundryBinary(tool: 'forge' | 'anvil' | 'cast'): string {
  const architecture = architectures[process.arch]
  const name = `@foundry-rs/${tool}-${process.platform}-${architecture}`
  // The platform package is a dependency of the launcher's, so it is looked up from there.
  const launcher = createRequire(import.meta.url).resolve(`@foundry-rs/${tool}/package.json`)
  const manifest = createRequire(launcher).resolve(`${name}/package.json`)
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool)
}

/** The result of a forge command. The exit code is null if forge was ended at its time limit. */
type ForgeRun = { exitCode: number | null; output: string }

/**
 * Runs forge in the contracts folder, and collects standard output and standard error in the order of arrival. forge
 * starts the compiler as a Node program. The folder of this process's own Node is the first on PATH, so the compiler
 * runs with the same Node.
 */
export function runForge(
  args: string[],
  options: { env?: Record<string, string>; echo?: boolean; timeout?: number } = {},
): Promise<ForgeRun> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(findFoundryBinary('forge'), args, {
    cwd: contractsRoot,
    env: { ...process.env, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', NO_COLOR: '1', ...options.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeout,
  })
  const chunks: Buffer[] = []
  const collect = (chunk: Buffer) => {
    chunks.push(chunk)
    if (options.echo) process.stdout.write(chunk)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code, output: Buffer.concat(chunks).toString('utf8') }))
  })
}
