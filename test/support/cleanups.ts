/** Undoes what a test did, in reverse order. */
export interface Cleanups {
  defer(cleanup: () => unknown): void
  /** Runs all of them, even after one fails. @throws the first failure */
  run(): Promise<void>
}

export function createCleanups(): Cleanups {
  const deferred: (() => unknown)[] = []
  return {
    defer: (cleanup) => deferred.push(cleanup),
    run: async () => {
      const failures: unknown[] = []
      for (let cleanup = deferred.pop(); cleanup !== undefined; cleanup = deferred.pop()) {
        try {
          await cleanup()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
