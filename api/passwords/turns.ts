/** Too many wait already. */
export class PasswordsBusy extends Error {
  constructor() {
    super('too many passwords are being looked at')
    this.name = 'PasswordsBusy'
  }
}

/** Lets `atOnce` pieces of work run at a time, the others in the order they came. @throws PasswordsBusy in its work's place */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new PasswordsBusy()
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
