// One instance as several processes. A primary runs the workers, each of which is a whole server.

interface Question {
  ask: string
  id: number
}

interface WorkerAnswer {
  answers: number
  value?: unknown
  fault?: string
}

const answerTimeout = 3000 // ms

const isQuestion = (message: unknown): message is Question =>
  typeof message === 'object' && message !== null && 'ask' in message
const isAnswer = (message: unknown): message is WorkerAnswer =>
  typeof message === 'object' && message !== null && 'answers' in message

/**
 * Questions and answers between two processes.
 * @param peer the other end
 * @param answers the questions that this end answers, by name
 * @returns a function that asks the other end and rejects without an answer in time
 */
export const createDialogue = (
  peer: { send(message: object): void; listen(receive: (message: unknown) => void): void },
  answers: Readonly<Record<string, () => Promise<unknown>>>,
): ((question: string) => Promise<unknown>) => {
  const waiting = new Map<number, (answer: WorkerAnswer) => void>()
  let asked = 0

  const reply = async ({ ask, id }: Question) => {
    try {
      peer.send({ answers: id, value: await answers[ask]?.() })
    } catch (error) {
      peer.send({ answers: id, fault: (error as Error).message })
    }
  }

  peer.listen((message) => {
    if (isQuestion(message)) void reply(message)
    else if (isAnswer(message)) waiting.get(message.answers)?.(message)
  })

  return (ask) =>
    new Promise((resolve, reject) => {
      const id = asked++
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error(`no answer to ${ask}`))
      }, answerTimeout)
      waiting.set(id, ({ value, fault }) => {
        waiting.delete(id)
        clearTimeout(timer)
        if (fault === undefined) resolve(value)
        else reject(new Error(fault))
      })
      peer.send({ ask, id })
    })
}
