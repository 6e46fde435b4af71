import { expect, test } from 'vitest'
import { averageOf, credibilityOf, shrunkAverageOf } from '../../../api/domain/agent-standing.ts'

test.each([
  [{ ratedTasks: 0, totalStars: 0 }, null, 50, 0],
  [{ ratedTasks: 1, totalStars: 100 }, 100, 600 / 11, 90],
  [{ ratedTasks: 10, totalStars: 0 }, 0, 25, 500],
  [{ ratedTasks: 30, totalStars: 2700 }, 90, 80, 750],
])('given the ratings %j, then their mean is %s, with ten of 50 %s, and its own share %s', (sums, ...standing) => {
  expect([averageOf(sums), shrunkAverageOf(sums), credibilityOf(sums)]).toEqual(standing)
})
