import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import { startChild, waitUntilReady } from '../../../ops/process/child.ts'
import type { SwiftInstallation } from '../../../scripts/stack/find-swift.ts'

/** A bucket of a running server, and its key. */
export interface SwiftBucket {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

export interface SwiftServer {
  bucket: SwiftBucket
  /** Of the same server and key; at most `SMALL_BUCKET_BYTES` fit in. */
  smallBucket: SwiftBucket
  /** Ends it and deletes its data. */
  stop: () => Promise<void>
}

export const SMALL_BUCKET_BYTES = 100_000

const REGION = 'eu-test-1'
const ACCOUNT = 'market'
const USER = 'service'

/** Starts Swift behind its S3 interface on a free port, with signatures checked against a random secret. */
export async function startSwift({ python, parentDirectory }: SwiftInstallation): Promise<SwiftServer> {
  const directory = mkdtempSync(join(parentDirectory, 'task-market-swift-'))
  const secret = randomBytes(16).toString('hex')
  writeFileSync(
    join(directory, 'settings.json'),
    JSON.stringify({
      region: REGION,
      account: ACCOUNT,
      user: USER,
      secret,
      bucketQuotas: { small: SMALL_BUCKET_BYTES },
    }),
    { mode: 0o600 },
  )
  const child = await startChild({
    name: 'swift',
    command: python,
    args: [join(import.meta.dirname, 'serve.py'), directory],
    cwd: directory,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    logFile: join(directory, 'swift.log'),
    stopSignal: 'SIGTERM',
    temporaryDirectory: directory,
  })
  const stop = async () => {
    await child.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const port = await waitUntilReady(child, async () => findPort(child.readLog()))
    const bucket = {
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      bucket: 'files',
      accessKeyId: `${ACCOUNT}:${USER}`,
      secretAccessKey: secret,
    }
    await createBucket(bucket)
    return { bucket, smallBucket: { ...bucket, bucket: 'small' }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function findPort(log: string): string | null {
  return /^\{"port": (\d+)\}$/m.exec(log)?.[1] ?? null
}

async function createBucket({ endpoint, bucket, ...key }: SwiftBucket): Promise<void> {
  const signer = new AwsV4Signer({ method: 'PUT', url: `${endpoint}/${bucket}`, service: 's3', ...key })
  const { url, method, headers } = await signer.sign()
  const response = await fetch(url, { method, headers })
  if (!response.ok) throw new Error(`no bucket was made: ${response.status} ${await response.text()}`)
}
