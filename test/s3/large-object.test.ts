import { expect, inject, test } from 'vitest'
import { runNode } from '../../scripts/stack/run-command.ts'
import { byDepth } from '../support/depth.ts'

/** Size of the object, and memory of the process, megabytes: without the object it takes about a hundred. */
const sizes = byDepth({ object: 120, most: 190 }, { object: 300, most: 250 })

test(`given an object of ${sizes.object} MB, when stored and read, then it is never in memory as a whole`, async () => {
  const options = JSON.stringify(inject('swift').bucket)
  const { output } = await runNode('test/s3/large-object.ts', [options, String(sizes.object)], { name: 'large object' })
  const seen = JSON.parse(output)
  expect(seen).toMatchObject({ isSame: true, sizeBytes: sizes.object * 1_000_000 })
  expect(seen.peakMegabytes).toBeLessThan(sizes.most)
})
