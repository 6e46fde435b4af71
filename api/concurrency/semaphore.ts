/** Too many wait for their turn already. */
export class TooBusy extends Error {
  /** What the service does too much of, as a sentence without its end. */
  readonly fact: string

  constructor(fact: string) {
    super(fact)
    this.name = 'TooBusy'
    this.fact = fact
  }
}

/** Lets `atOnce` pieces of work run at a time, the others in the order they came. @throws TooBusy in its work's place */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface TurnsOptions {
  atOnce: number
  maxWaiting: number
  /** What is said to whoever cannot even wait, such as "The service looks at too many passwords now". */
  fact: string
}

export function createTurns({ atOnce, maxWaiting, fact }: TurnsOptions): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new TooBusy(fact)
      // Who ends hands its place on, so it is never taken in between.
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
