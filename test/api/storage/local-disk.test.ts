import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalDiskStore } from '../../../api/artifacts/storage/local-disk.ts'
import { StorageUnavailableError } from '../../../api/artifacts/storage/object-store.ts'
import { createSignedUrls } from '../../../api/artifacts/storage/signed-urls.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { objectStoreContract } from '../../support/object-store-contract.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'task-market-store-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const linksOf = (secret: string) => createSignedUrls({ secret, publicBaseUrl: 'http://here' })
const aStore = () => createLocalDiskStore({ directory, links: linksOf('a secret') })
const named = (id: string) => ({ area: 'artifacts', id }) as const
const put = (id: string, text: string) => aStore().put(named(id), oneChunk(Buffer.from(text)), text.length)

objectStoreContract(aStore)

test('a URL is genuine for its id, its expiry and its key, until it expires', () => {
  const links = linksOf('a secret')
  const id = randomUUID()
  const url = new URL(links.toArtifact(id, 1000))
  expect(url.href.startsWith(`http://here/api/artifacts/${id}?`)).toBe(true)
  const signature = url.searchParams.get('signature') ?? ''
  const link = { expiresAt: 1000, signature }
  expect(links.opensArtifact(id, link, 999)).toBe(true)
  expect(links.opensArtifact(id, link, 1000)).toBe(false)
  expect(links.opensArtifact(id, { ...link, expiresAt: 1001 }, 999)).toBe(false)
  expect(links.opensArtifact(randomUUID(), link, 999)).toBe(false)
  expect(links.opensArtifact(id, { ...link, signature: `${signature}A` }, 999)).toBe(false)
  expect(linksOf('another secret').opensArtifact(id, link, 999)).toBe(false)
})

test('a put that fails keeps nothing', async () => {
  const id = randomUUID()
  const folder = join(directory, id.slice(0, 2))
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'a file where the folder should be')
  await expect(put(id, 'x')).rejects.toThrow(StorageUnavailableError)
  await rm(folder)
  expect(await aStore().open(named(id))).toBeNull()
})
