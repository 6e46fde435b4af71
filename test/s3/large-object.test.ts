import { expect, inject, test } from 'vitest'
import { runNode } from '../../scripts/stack/run-command.ts'

test('given an object of 300 MB, when stored and read, then it is never in memory as a whole', async () => {
  const options = JSON.stringify(inject('swift').bucket)
  const { output } = await runNode('test/s3/large-object.ts', [options, '300'], { name: 'large object' })
  const seen = JSON.parse(output)
  expect(seen).toMatchObject({ isSame: true, sizeBytes: 300_000_000 })
  expect(seen.peakMegabytes).toBeLessThan(250)
})
