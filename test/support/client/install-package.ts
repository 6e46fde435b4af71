import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { runCommand } from '../../../scripts/stack/run-command.ts'
import { listDependencies, readManifest, startPackageSource } from './package-source.ts'

const clientRoot = join(repositoryRoot, 'client')

/** Runs a command; its output. Its failure fails the test. */
export async function must(command: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  const { exitCode, output } = await runCommand(command, args, { name: command, environment })
  expect(exitCode, output).toBe(0)
  return output
}

/**
 * Builds the package, packs it, and has npm install the tarball into a new project in `folder`. What the package depends
 * on is packed from this installation and served to npm, which judges ranges, peers and engines as for any user.
 * @returns the path of the command line tool that npm has linked
 */
export async function installPackage(folder: string): Promise<{ tool: string }> {
  await must(process.execPath, [join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', clientRoot])
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const options = ['--ignore-scripts', '--cache', join(folder, 'cache'), '--no-update-notifier', '--noproxy=127.0.0.1']
  const sources = [clientRoot, ...listDependencies(clientRoot)]
  await must('npm', ['pack', ...sources, ...options, '--silent', '--offline', '--pack-destination', tarballs])
  const packages = sources.map((source) => {
    const manifest = readManifest(source)
    const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
    return { manifest, tarball: join(tarballs, file) }
  })
  const registry = await startPackageSource(packages)
  writeFileSync(join(folder, 'package.json'), '{"name":"agent","version":"1.0.0","private":true,"type":"module"}')
  const strict = ['--engine-strict', '--strict-peer-deps', '--no-audit', '--no-fund']
  const [client] = packages
  const wanted = [client?.tarball ?? '', 'viem']
  const source = ['--registry', registry.url, '--fetch-retries=0']
  await must('npm', ['install', ...wanted, '--prefix', folder, ...options, ...strict, ...source])
  registry.stop()
  return { tool: join(folder, 'node_modules', '.bin', 'task-market') }
}
