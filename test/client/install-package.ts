import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { runCommand } from '../../scripts/stack/run-command.ts'
import { listDependencies, type Packed, readManifest, startPackageSource } from './package-source.ts'

const clientRoot = join(repositoryRoot, 'client')

/** Runs a command; its output. Its failure fails the test. */
export async function must(command: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  const { exitCode, output } = await runCommand(command, args, { name: command, environment })
  expect(exitCode, output).toBe(0)
  return output
}

/** Of what the package depends on, files that no Node of these tests loads: most of what npm would unpack. */
const notLoaded = ['*.ts', '*.mts', '*.cts', '*.map']

/**
 * Builds the package, packs it, and has npm install the tarball into a new project in `folder`. What the package depends
 * on is packed from this installation and served to npm, which judges ranges, peers and engines as for any user.
 * @returns the path of the command line tool that npm has linked
 */
export async function installPackage(folder: string): Promise<{ tool: string }> {
  await must(process.execPath, [join(repositoryRoot, 'scripts', 'client', 'build-package.ts')])
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const options = ['--ignore-scripts', '--cache', join(folder, 'cache'), '--no-update-notifier', '--noproxy=127.0.0.1']
  await must('npm', ['pack', clientRoot, ...options, '--silent', '--offline', '--pack-destination', tarballs])
  const manifest = readManifest(clientRoot)
  const client = { manifest, tarball: join(tarballs, `${manifest.name}-${manifest.version}.tgz`) }
  const dependencies = await Promise.all(
    listDependencies(clientRoot).map((source, index) => packInstalled(source, join(tarballs, `${index}.tar`))),
  )
  const registry = await startPackageSource([client, ...dependencies])
  writeFileSync(join(folder, 'package.json'), '{"name":"agent","version":"1.0.0","private":true,"type":"module"}')
  const strict = ['--engine-strict', '--strict-peer-deps', '--no-audit', '--no-fund']
  const wanted = [client.tarball, 'viem']
  const source = ['--registry', registry.url, '--fetch-retries=0']
  await must('npm', ['install', ...wanted, '--prefix', folder, ...options, ...strict, ...source])
  registry.stop()
  return { tool: join(folder, 'node_modules', '.bin', 'task-market') }
}

/** Packs an installed package, which is what its author published, without compressing it: npm reads that too. */
async function packInstalled(source: string, tarball: string): Promise<Packed> {
  const name = basename(source)
  const leftOut = [`${name}/node_modules`, ...notLoaded].map((pattern) => `--exclude=${pattern}`)
  await must('tar', ['-cf', tarball, ...leftOut, '-C', dirname(source), name])
  return { manifest: readManifest(source), tarball }
}
