import { mkdirSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { runCommand } from '../../../scripts/stack/run-command.ts'
import { listDependencies, type Packed, readManifest, startPackageSource } from './package-source.ts'

/** Runs a command, in the repository unless told; its output. Its failure fails the test. */
export async function must(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
  folder: string = repositoryRoot,
): Promise<string> {
  const { exitCode, output } = await runCommand(command, args, { name: command, environment, folder })
  expect(exitCode, output).toBe(0)
  return output
}

/** Of what a package depends on, files that no Node of these tests loads: most of what npm would unpack. */
const notLoaded = ['*.ts', '*.mts', '*.cts', '*.map']

/** Packages as npm finds them in a registry. */
export interface ServedPackages {
  /** The variables by which a command of npm, as any user types it, finds the packages, and nothing else. */
  environment: Record<string, string>
  /** Paths of the tarballs of `roots`, in their order. */
  tarballs: string[]
  stop(): void
}

/**
 * Packs packages of this repository as `npm publish` would (their `prepack` builds them) and serves the tarballs to npm,
 * with everything that they depend on, which is packed from this installation. npm judges names, ranges, peers and
 * engines as for any user.
 *
 * Example: `const { environment } = await servePackages(folder, ['client'])`, then `npm install task-market-client viem`
 * with that environment in any folder.
 * @param folder an empty one, for tarballs and npm's cache
 * @param roots folders of packages, relative to the repository
 */
export async function servePackages(folder: string, roots: readonly string[]): Promise<ServedPackages> {
  const directory = join(folder, 'tarballs')
  mkdirSync(directory)
  const settings = {
    cache: join(folder, 'cache'),
    update_notifier: 'false',
    noproxy: '127.0.0.1',
    audit: 'false',
    fund: 'false',
    engine_strict: 'true',
    strict_peer_deps: 'true',
    fetch_retries: '0',
  }
  const environment: Record<string, string> = {
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])),
    // Scripts of packages run on the Node of this run, and so do the commands.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  const packed: Packed[] = []
  for (const root of roots.map((path) => join(repositoryRoot, path))) {
    await must('npm', ['pack', root, '--silent', '--offline', '--pack-destination', directory], environment)
    const manifest = readManifest(root)
    packed.push({ manifest, tarball: join(directory, tarballName(manifest)) })
  }
  const needed = new Set(roots.flatMap((root) => listDependencies(join(repositoryRoot, root))))
  const dependencies = await Promise.all(
    [...needed].map((source, index) => packInstalled(source, join(directory, `${index}.tar`))),
  )
  const registry = await startPackageSource([...packed, ...dependencies])
  return {
    environment: { ...environment, npm_config_registry: registry.url, npm_config_ignore_scripts: 'true' },
    tarballs: packed.map(({ tarball }) => tarball),
    stop: registry.stop,
  }
}

function tarballName({ name, version }: { name: string; version: string }): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

/** Packs an installed package, which is what its author published, without compressing it: npm reads that too. */
async function packInstalled(source: string, tarball: string): Promise<Packed> {
  const name = basename(source)
  const leftOut = [`${name}/node_modules`, ...notLoaded].map((pattern) => `--exclude=${pattern}`)
  await must('tar', ['-cf', tarball, ...leftOut, '-C', dirname(source), name])
  return { manifest: readManifest(source), tarball }
}
