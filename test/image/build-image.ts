import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { localDirectory, repositoryRoot } from '../../ops/process/paths.ts'

/** Of buildah; the base image stays there for the next run. */
const storage = join(localDirectory, 'image')
const dockerfile = join('ops', 'container', 'Dockerfile')
const NAME = 'localhost/task-market-test:latest'
const DEBIAN = 'bookworm'

/** An image that was built here. */
export interface Image {
  /** Its files: the top layer of the vfs driver is a whole copy. */
  root: string
  user: string
  command: string[]
  workingDirectory: string
  environment: Record<string, string>
}

const inspected = z.object({
  FromImageID: z.string(),
  OCIv1: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      WorkingDir: z.string(),
    }),
  }),
})
const storedImages = z.array(z.object({ id: z.string(), layer: z.string() }))

/**
 * Builds the image with buildah, on a base of the name that the Dockerfile has: no registry of images is needed, for the base is
 * made of Debian's packages and the Node of this process. Packages come from npm as this machine is set up.
 */
export function buildImage(): Image {
  mkdirSync(storage, { recursive: true })
  const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(repositoryRoot, dockerfile), 'utf8')) ?? []
  if (base === undefined) throw new Error(`${dockerfile} names no NODE_IMAGE`)
  if (!base.includes(`:${process.versions.node}-${DEBIAN}`)) {
    throw new Error(`${dockerfile} begins with ${base}, and this is Node ${process.versions.node} on Debian ${DEBIAN}`)
  }
  if (buildah('images', '--quiet', '--filter', `reference=${base}`).trim() === '') makeBase(base)
  const directory = mkdtempSync(join(tmpdir(), 'task-market-npm-'))
  try {
    const npmrc = join(directory, 'npmrc')
    const registry = run('npm', ['config', 'get', 'registry']).trim()
    writeFileSync(npmrc, `registry=${registry}\ncache=/npm-cache\nprefer-offline=true\n`)
    const cache = run('npm', ['config', 'get', 'cache']).trim()
    mkdirSync(cache, { recursive: true })
    buildah(
      'build',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      '--secret',
      `id=npmrc,src=${npmrc}`,
      '--volume',
      `${cache}:/npm-cache`,
      '--ignorefile',
      `${dockerfile}.dockerignore`,
      '--file',
      dockerfile,
      '--tag',
      NAME,
      repositoryRoot,
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  const { FromImageID, OCIv1 } = inspected.parse(JSON.parse(buildah('inspect', '--type', 'image', NAME)))
  const stored = storedImages.parse(
    JSON.parse(readFileSync(join(storage, 'root', 'vfs-images', 'images.json'), 'utf8')),
  )
  const layer = stored.find(({ id }) => id === FromImageID)?.layer
  if (layer === undefined) throw new Error(`buildah stores no image ${FromImageID}`)
  const { User, Env, Entrypoint, WorkingDir } = OCIv1.config
  return {
    root: join(storage, 'root', 'vfs', 'dir', layer),
    user: User,
    command: Entrypoint,
    workingDirectory: WorkingDir,
    environment: Object.fromEntries(
      Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  }
}

/** Deletes the image; its base stays. */
export function deleteImage(): void {
  buildah('rmi', NAME)
}

/** Bytes of all files below a directory. */
export function bytesBelow(directory: string): number {
  return Number(run('du', ['--summarize', '--bytes', directory]).split('\t')[0])
}

/** The image that the Dockerfile begins with, as its name promises: Debian, Node with npm, and a user `node` with the id 1000. */
function makeBase(name: string): void {
  const root = mkdtempSync(join(tmpdir(), 'task-market-base-'))
  try {
    run('debootstrap', ['--variant=minbase', DEBIAN, root])
    rmSync(join(root, 'var', 'cache', 'apt', 'archives'), { recursive: true, force: true })
    cpSync(process.execPath, join(root, 'usr', 'local', 'bin', 'node'))
    chmodSync(join(root, 'usr', 'local', 'bin', 'node'), 0o755)
    const npm = dirname(dirname(run('readlink', ['-f', run('sh', ['-c', 'command -v npm']).trim()]).trim()))
    cpSync(npm, join(root, 'usr', 'local', 'lib', 'node_modules', 'npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr', 'local', 'bin', 'npm'))
    appendFileSync(join(root, 'etc', 'passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n')
    appendFileSync(join(root, 'etc', 'group'), 'node:x:1000:\n')
    const container = buildah('from', 'scratch').trim()
    buildah('add', '--quiet', container, root, '/')
    buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
    buildah('commit', '--quiet', '--rm', container, name)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function buildah(...args: string[]): string {
  const options = ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'vfs']
  return run('buildah', [...options, ...args])
}

/** @returns the standard output @throws with the end of both outputs when it fails */
function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.at(0)} failed:\n${`${stdout}${stderr}`.slice(-4_000)}`)
}
