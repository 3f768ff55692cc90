import type { Approvals, Wish } from '../approvals.ts'
import type { Subject } from '../subject.ts'
import type { TakenQuestion } from './takeQuestion.ts'

/** The same approvals, whose yes first tells the server that the question is being done: from then on the frame does not take it back. */
export function beginning(approvals: Approvals<Subject>, taken: Pick<TakenQuestion, 'begin'>): Approvals<Subject> {
  return {
    ...approvals,
    ask: <Choice, Result>(wish: Wish<Subject, Choice, Result>) =>
      approvals.ask<Choice, Result>({
        ...wish,
        perform: async (choice) => {
          await taken.begin()
          return wish.perform(choice)
        },
      }),
    during: (id, work) => approvals.during(id, (within) => work(beginning(within, taken))),
  }
}
