/** Random choices from a seed. */
export interface Random {
  /** 0 <= result < bound. */
  below(bound: number): number
  chance(probability: number): boolean
  /** @throws when the list is empty */
  pick<T>(items: readonly T[]): T
  /** Between 1 and `most` of the items, in some order. */
  some<T>(items: readonly T[], most: number): T[]
  /** 32 bytes as hex. */
  word(): `0x${string}`
}

/** A generator in this repository, so that a seed has the same sequence on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const below = (bound: number) => next() % bound
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('the list is empty')
    return item
  }
  const some = <T>(items: readonly T[], most: number): T[] => {
    const rest = [...items]
    const count = Math.min(rest.length, 1 + below(most))
    return Array.from({ length: count }, () => rest.splice(below(rest.length), 1)).flat()
  }
  const word = () => {
    let word: `0x${string}` = '0x'
    for (let part = 0; part < 8; part += 1) word += next().toString(16).padStart(8, '0')
    return word
  }
  return { below, chance: (probability) => next() / 2 ** 32 < probability, pick, some, word }
}
