/** Too many callers wait already. */
export class Overloaded extends Error {
  /** What the service does too much of, a sentence without its full stop. */
  readonly fact: string

  constructor(fact: string) {
    super(fact)
    this.name = 'Overloaded'
    this.fact = fact
  }
}

/**
 * Lets `atOnce` pieces of work run at a time, the others in the order they came. @throws Overloaded in its work's place
 */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface SemaphoreOptions {
  atOnce: number
  maxWaiting: number
  /** The sentence for a caller who cannot wait, such as "The service checks too many passwords now". */
  fact: string
}

export function createSemaphore({ atOnce, maxWaiting, fact }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new Overloaded(fact)
      // Work that ends hands its place to the next, so that no other caller takes it in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
