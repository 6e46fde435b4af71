/** The error for a call that is refused because too many callers wait already. */
export class Overloaded extends Error {
  /** The sentence that says which work is overloaded. It has no full stop. */
  readonly fact: string

  constructor(fact: string) {
    super(fact)
    this.name = 'Overloaded'
    this.fact = fact
  }
}

/**
 * A function that runs jobs in order of arrival. At most `atOnce` jobs run at the same time.
 * @throws Overloaded if `maxWaiting` jobs already wait; the job is not run
 */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface SemaphoreOptions {
  atOnce: number
  maxWaiting: number
  /** The sentence for a refused caller, with no full stop. Example: "The service checks too many passwords now". */
  fact: string
}

export function createSemaphore({ atOnce, maxWaiting, fact }: SemaphoreOptions): Semaphore {
  const waiters: (() => void)[] = []
  let runningCount = 0
  return async (work) => {
    if (runningCount >= atOnce) {
      if (waiters.length >= maxWaiting) throw new Overloaded(fact)
      // A finished job passes its place to the next waiter, so no other caller takes it in between.
      await new Promise<void>((resolve) => waiters.push(resolve))
    } else {
      runningCount += 1
    }
    try {
      return await work()
    } finally {
      const next = waiters.shift()
      if (next === undefined) runningCount -= 1
      else next()
    }
  }
}
