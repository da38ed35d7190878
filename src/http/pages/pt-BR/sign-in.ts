import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {
  'signIn.heading': 'Entrar',
  'signIn.continueTo': 'para continuar em {app}',
  'signIn.email': 'Endereço de e-mail',
  'signIn.password': 'Senha',
  'signIn.showPassword': 'Mostrar caracteres',
  'signIn.submit': 'Entrar',
  'signIn.help':
    'Não tem conta ou não consegue entrar? O administrador da sua organização pode ajudar.',
  'signIn.wrong': 'Não foi possível entrar. Verifique seu endereço de e-mail e sua senha.',
  'signIn.incomplete': 'Digite seu endereço de e-mail e sua senha.',
  'signIn.again': 'Entre mais uma vez, para termos certeza de que é você.',
  'signIn.or': 'ou',
  'signIn.provider': 'Entrar com a conta da empresa',
  'signIn.passkey': 'Usar uma chave de acesso',
  'signIn.passkeyFailed':
    'A chave de acesso não funcionou. Tente de novo ou use outra forma de entrar.',
  'signIn.passkeyCancelled': 'Nenhuma chave de acesso foi usada. Você pode tentar de novo.',
  'signIn.providerOnly': 'O login com senha está desativado. Use o botão.',
  'signIn.providerAway': 'O serviço de login não responde. Tente de novo em um minuto.',
  'signIn.providerDenied': 'Você cancelou no serviço de login, ou ele recusou o login.',
  'signIn.providerNotFresh':
    'Você precisa entrar de novo, mas o serviço de login não pediu isso. Saia dele primeiro e tente de novo.',
  'signIn.providerRefused': 'O serviço de login enviou uma resposta inválida. Comece de novo.',
  'signIn.providerUnknown':
    'Este login demorou demais, já foi usado ou começou em outro navegador. Comece de novo.',
  'signIn.tooMany':
    'Tentativas demais. Tente de novo em {minutes, plural, one {# minuto} other {# minutos}}.',
  'refusals.disabled.heading': 'Sua conta está desativada aqui',
  'refusals.disabled.message': 'O serviço de login conhece você, mas esta conta não pode entrar.',
  'refusals.disabled.move': 'Só um administrador pode reativá-la. Informe a referência abaixo.',
  'refusals.email_missing.heading': 'Falta seu endereço de e-mail',
  'refusals.email_missing.message': 'O serviço de login não o enviou, e uma conta precisa de um.',
  'refusals.email_missing.move':
    'Um administrador precisa permitir que o serviço de login o envie.',
  'refusals.email_unverified.heading': 'Seu endereço de e-mail ainda não foi verificado',
  'refusals.email_unverified.message': 'O serviço de login não confirmou que o endereço é seu.',
  'refusals.email_unverified.move': 'Verifique-o lá e depois entre aqui de novo.',
  'refusals.email_taken.heading': 'Seu endereço de e-mail pertence a outra conta aqui',
  'refusals.email_taken.message':
    'Só unimos contas quando temos certeza de que ambas são suas, então nada mudou.',
  'refusals.email_taken.move': 'Um administrador pode resolver isso. Informe a referência abaixo.',
  'confirm.heading': 'Use uma chave de acesso para continuar',
  'confirm.lead': 'Esta página exige mais do que uma senha.',
  'confirm.use': 'Usar uma chave de acesso',
  'confirm.noneHeading': 'Adicione uma chave de acesso para continuar',
  'confirm.none':
    'Você ainda não tem uma chave de acesso. É rápido: seu dispositivo pede sua impressão digital, seu rosto ou seu PIN.',
  'confirm.add': 'Adicionar uma chave de acesso',
  'confirm.elsewhere':
    'A chave de acesso está em outro dispositivo ou foi perdida? Um administrador deste servidor pode ajudar.',
  'confirm.deny': 'Não instalar',
  'confirm.home': 'Início',
  'signOut.heading': 'Sair?',
  'signOut.lead':
    'Os apps que você conectou continuam funcionando. Você pode desconectá-los em “Apps conectados”.',
  'signOut.submit': 'Sair',
  'signOut.stay': 'Não sair',
  'endSession.heading': 'Sair?',
  'endSession.lead': '{app} quer que você saia também de {brand}.',
  'endSession.anonymous': 'Outro site quer que você saia de {brand}.',
  'endSession.who': 'Você entrou como {name}, {email}.',
  'endSession.submit': 'Sair',
  'endSession.stay': 'Não sair',
  'signedOut.heading': 'Você saiu da sua conta',
  'signedOut.lead': 'Em um computador compartilhado, feche também a janela do navegador.',
  'signedOut.signIn': 'Entrar de novo',
  'signedOut.provider':
    'Sua sessão no serviço de login talvez continue aberta. A próxima pessoa neste navegador poderia entrar sem senha.',
  'signedOut.signOutThere': 'Sair de lá também',
}
