/** The texts of emails and of the pages opened by emails and social logins, in Portuguese. */
export const mail = {
  'code.subject': 'Seu código de acesso',
  'code.heading': 'Seu código de acesso',
  'code.before': 'Digite este código onde você está entrando. Ele vale por 10 minutos e só no navegador que o pediu.',
  'code.after':
    'Ninguém de {site} jamais vai pedir esse código. Se você não pediu um código, ignore este e-mail: ninguém consegue entrar sem ele.',

  'approval.subject': 'Aprove um novo navegador',
  'approval.heading': 'É você?',
  'approval.before': 'Um novo navegador quer entrar com o seu e-mail. O link vale por 10 minutos.',
  'approval.link': 'Ver o pedido',
  'approval.after':
    'Só abra se você estiver entrando agora. Se não for você, ignore este e-mail: ninguém consegue entrar em {site} sem ele.',

  'changePrimary.subject': 'Confirme a mudança de e-mail',
  'changePrimary.heading': 'Mudança do seu e-mail',
  'changePrimary.before':
    'Digite este código para confirmar que você quer mudar o e-mail da sua conta. Ele vale por 10 minutos.',
  'changePrimary.after':
    'Se não for você, não digite o código em lugar nenhum e confira os aparelhos da sua conta em {site}.',

  'changeSecondary.subject': 'Confirme seu novo e-mail',
  'changeSecondary.heading': 'Seu novo e-mail',
  'changeSecondary.before': 'Digite este código para que este seja o e-mail da sua conta. Ele vale por 10 minutos.',
  'changeSecondary.after': 'Se você não pediu isso, ignore este e-mail: {site} vai apagar este endereço.',

  'addressTaken.subject': 'Este e-mail já tem uma conta',
  'addressTaken.heading': 'Este e-mail já está em uso',
  'addressTaken.before':
    'Alguém, talvez você, tentou usar este e-mail em outra conta de {site}. Ele já tem uma conta, então nada mudou.',
  'addressTaken.after': 'Se foi você, entre com este e-mail.',

  'addressChanged.subject': 'Seu e-mail foi mudado',
  'addressChanged.heading': 'Seu e-mail foi mudado',
  'addressChanged.before':
    'Sua conta em {site} agora tem outro e-mail. Os códigos enviados aos dois endereços foram digitados. Sua carteira e as chaves dela não mudaram.',
  'addressChanged.after': 'Se não foi você, alguém consegue ler seus e-mails: troque a senha da sua conta de e-mail.',

  'deviceAdded.subject': 'Novo acesso em outro aparelho',
  'deviceAdded.heading': 'Novo aparelho',
  'deviceAdded.before':
    '“{place}” entrou na sua conta em {site}. Ele só consegue abrir a carteira com sua chave de acesso, seu kit de recuperação ou outro aparelho seu.',
  'deviceAdded.after': 'Se não for seu, remova-o da lista de aparelhos da sua carteira.',

  'deviceAsked.subject': 'Um novo aparelho quer abrir sua carteira',
  'deviceAsked.heading': 'Um aparelho precisa da sua aprovação',
  'deviceAsked.before':
    '“{place}” entrou na sua conta em {site} e está pedindo a aprovação de um dos seus aparelhos. Até {time}, para aprovar é preciso usar ali sua chave de acesso ou seu kit de recuperação.',
  'deviceAsked.after':
    'Se não for seu, alguém consegue ler seus e-mails: troque a senha da sua conta de e-mail, depois abra {page} no seu navegador, saia de todos os aparelhos e adicione uma chave de acesso ou um kit de recuperação.',

  'expiredPage.title': 'Link expirado',
  'expiredPage.heading': 'Este link expirou',
  'expiredPage.body': 'Ele vale uma vez, por 10 minutos. Peça um novo onde você está entrando.',

  'approvePage.title': 'Aprove um novo navegador',
  'approvePage.heading': 'Você está entrando agora?',
  'approvePage.body': 'Um navegador quer entrar em {site} como {email}.',
  'approvePage.notYou': 'Se não for você, feche esta página.',
  'approvePage.approve': 'Aprovar',

  'approvedPage.title': 'Aprovado',
  'approvedPage.heading': 'Navegador aprovado',
  'approvedPage.body': 'Enviamos um código por e-mail. Digite-o onde você está entrando. Você pode fechar esta página.',

  'popup.title': 'Entrando',
  'popup.loading': 'Um momento…',
  'popup.loadingBody': 'Seu acesso vai abrir aqui.',
  'popup.elsewhere': 'Continue na página',
  'popup.done': 'Você pode voltar à página',
  'popup.failed': 'Algo deu errado',
  'popup.close': 'Você pode fechar esta janela.',
}
