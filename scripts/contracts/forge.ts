import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { contractsRoot } from './paths.ts'

const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Returns the path of the native binary of a Foundry tool in the platform's npm package. Its launcher would require an install
 * script, which npm does not run here.
 */
export function findFoundryBinary(tool: 'forge' | 'anvil' | 'cast'): string {
  const architecture = architectures[process.arch]
  const name = `@foundry-rs/${tool}-${process.platform}-${architecture}`
  // The platform package is a dependency of the launcher's, so it is looked up from there.
  const launcher = createRequire(import.meta.url).resolve(`@foundry-rs/${tool}/package.json`)
  const manifest = createRequire(launcher).resolve(`${name}/package.json`)
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool)
}

/** The exit code is null when forge was ended at its timeout. */
type ForgeRun = { exitCode: number | null; output: string }

/**
 * Runs forge in the contracts folder and collects what it prints, standard output and error in order of arrival.
 * The compiler behind it is a Node program, so this process's own Node comes first on PATH.
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
