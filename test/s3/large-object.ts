/**
 * A separate process, so that its memory can be measured: stores an object of the given size, promotes it, reads it
 * back and writes the measurements as JSON. Arguments: the options of the store (JSON), megabytes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createS3Store } from '../../api/artifacts/storage/s3.ts'

const [options = '', megabytes = ''] = process.argv.slice(2)
const sizeBytes = Number(megabytes) * 1_000_000
const store = createS3Store(JSON.parse(options))
const upload = randomUUID()
const artifact = randomUUID()

const sent = createHash('sha256')
await store.put({ area: 'uploads', id: upload }, manyBytes(), sizeBytes)
const facts = await store.stat({ area: 'uploads', id: upload })
await store.adopt(upload, artifact, facts?.version ?? '')
const received = createHash('sha256')
for await (const chunk of (await store.open({ area: 'artifacts', id: artifact })) ?? []) received.update(chunk)
await store.remove({ area: 'uploads', id: upload })
await store.remove({ area: 'artifacts', id: artifact })

const isSame = sent.digest('hex') === received.digest('hex')
process.stdout.write(
  JSON.stringify({ isSame, sizeBytes: facts?.sizeBytes, peakMegabytes: process.resourceUsage().maxRSS / 1000 }),
)

/** Produced faster than any storage accepts them: only backpressure bounds the memory. */
async function* manyBytes(): AsyncGenerator<Uint8Array> {
  for (let left = sizeBytes, index = 0; left > 0; index += 1) {
    const chunk = Buffer.alloc(Math.min(left, 100_000), index)
    left -= chunk.length
    sent.update(chunk)
    yield chunk
    await setImmediate()
  }
}
