import { once } from 'node:events'
import { readFileSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'

export interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** A package as it is packed. */
export interface Packed {
  manifest: Manifest
  tarball: string
}

/** Serves packages as npm asks for them, on this machine alone. */
export async function startPackageSource(packages: readonly Packed[]): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const file = packages.find(({ tarball }) => path === `-/${basename(tarball)}`)
    if (file !== undefined) {
      response.end(await readFile(file.tarball))
      return
    }
    const known = packages.filter(({ manifest }) => manifest.name === path)
    response.writeHead(known.length > 0 ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(known.length > 0 ? describePackage(path, known, request.headers.host ?? '') : {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function describePackage(name: string, known: readonly Packed[], host: string) {
  const versions = known.map(({ manifest, tarball }) => {
    const dist = { tarball: `http://${host}/-/${basename(tarball)}` }
    return [manifest.version, { ...manifest, dist }] as const
  })
  const [latest] = versions.map(([version]) => version)
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }
}

/** The folders of everything that a package needs, its own peers too, as they are installed. */
export function listDependencies(root: string): string[] {
  const found = new Set<string>()
  const visit = (folder: string, hasPeers: boolean) => {
    const { dependencies = {}, peerDependencies = {} } = readManifest(folder)
    for (const name of Object.keys({ ...dependencies, ...(hasPeers && peerDependencies) })) {
      const target = findPackage(name, folder)
      if (found.has(target)) continue
      found.add(target)
      visit(target, false)
    }
  }
  visit(root, true)
  return [...found]
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The folder of a package as Node finds it from another one. */
function findPackage(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    try {
      return realpathSync(join(folder, 'node_modules', name))
    } catch {
      // It is further up.
    }
  }
  throw new Error(`${name} is not installed`)
}
