import type { TestProject } from 'vitest/node'
import { findSwift, SWIFT_PACKAGE } from '../../scripts/stack/find-swift.ts'
import { type SwiftBucket, startSwift } from './swift/start-swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Two buckets of the test run's S3-compatible server: `inject('swift')`. */
    swift: { bucket: SwiftBucket; smallBucket: SwiftBucket }
  }
}

/** Starts one S3-compatible server for a project of a run, and ends it when the run ends. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const installation = findSwift()
  if (installation === null) throw new Error(`these tests need OpenStack Swift: apt-get install ${SWIFT_PACKAGE}`)
  const { bucket, smallBucket, stop } = await startSwift(installation)
  project.provide('swift', { bucket, smallBucket })
  return stop
}
