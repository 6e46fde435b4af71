import { expect, inject, test } from 'vitest'
import { runNode } from '../../scripts/stack/run-command.ts'

test('300 MB go to the storage and come back without ever being in memory', async () => {
  const options = JSON.stringify(inject('swift').bucket)
  const { output } = await runNode('test/s3/large-object.ts', [options, '300'], { name: 'large object' })
  const seen = JSON.parse(output)
  expect(seen).toMatchObject({ isSame: true, sizeBytes: 300_000_000 })
  expect(seen.peakMegabytes).toBeLessThan(250)
})
