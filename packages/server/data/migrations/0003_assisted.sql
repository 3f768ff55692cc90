CREATE TABLE "vault_share_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vault_share_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"at" bigint NOT NULL,
	"event" text NOT NULL,
	"wrapper" text NOT NULL,
	"browser" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_shares" (
	"user_id" text PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"wrapper" text NOT NULL,
	"server" text NOT NULL,
	"escrow" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vault_shares" ADD CONSTRAINT "vault_shares_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_share_log_user" ON "vault_share_log" USING btree ("user_id","at");